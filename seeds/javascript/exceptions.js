function show(s) { if (typeof print === "function") print(s); else console.log(s); }
function risky(limit, value) {
  var seen = 0;
  try {
    if (value > limit) throw value;
    seen = limit - value;
    return seen;
  } catch (error) {
    seen = error + limit;
  } finally {
    limit = seen * 2;
  }
  return limit + seen;
}
var x = 3, y = 8;
show(risky(x, y) + "," + risky(y, x) + "," + x + "," + y);
