function show(s) { if (typeof print === "function") print(s); else console.log(s); }
function mixed(a, b, rounds) {
  var c = a ^ b, d = a >>> 3;
  for (var i = 0; i < 8; i++) {
    c = (c << 5) - c + d;
    d = (d + rounds) & 0xffff;
    a = c % 1009;
  }
  return a + b * d + c;
}
var u = 123456789, v = 987, w = -5;
show(mixed(u, v, w) + "," + mixed(w, u, v) + "," + (u / v | w));
