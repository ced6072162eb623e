function show(s) { if (typeof print === "function") print(s); else console.log(s); }
function turned(text, from, to) {
  var head = text.substring(0, from), tail = text.slice(to), out = "";
  for (var i = to - 1; i >= from && i < 40; i--) out += text.charAt(i);
  return head + out + tail;
}
var word = "abcdef", name = "xyz", a = 1, b = 4;
var one = turned(word, a, b), two = turned(name, b, a);
show(one + "|" + two + "|" + one.indexOf(name) + "|" + (word + two).replace(/[a-c]+/g, name));
