var show = typeof print === "function" ? print : function (s) { console.log(s); };
function counter(start, step) {
  var value = start, calls = 0;
  return function (factor) {
    calls += 1;
    value += step * factor;
    return value - calls;
  };
}
var first = counter(1, 2), second = counter(5, -1);
var left = first(3), right = second(2);
show(String(left) + "," + right + "," + first(1) + "," + second(left));
