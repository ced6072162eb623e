function show(s) { if (typeof print === "function") print(s); else console.log(s); }
function counted(start, step, times) {
  var value = start, calls = 0;
  function next(factor) {
    var before = value;
    calls += 1;
    value += step * factor;
    return before - calls;
  }
  for (var i = 0; i < 3; i++) times = next(times) + i;
  return value + times * calls;
}
var left = 3, right = 2, last = 7;
show(counted(left, right, last) + "," + counted(right, last, left) + "," + last);
