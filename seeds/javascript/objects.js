function show(s) { if (typeof print === "function") print(s); else console.log(s); }
function Point(x, y) { this.x = x; this.y = y; }
Point.prototype.plus = function (other, scale) {
  var dx = other.x * scale, dy = other.y;
  return new Point(this.x + dx, this.y - dy);
};
var p = new Point(1, 2), q = new Point(3, 4), n = 5, m = -1;
var r = p.plus(q, n), s = q.plus(r, m);
show([r.x, r.y, s.x, s.y, p.x in q, "x" in s].join());
