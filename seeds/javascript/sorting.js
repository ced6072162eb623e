function show(s) { if (typeof print === "function") print(s); else console.log(s); }
var list = [5, 3, 9, 1, 7], other = [2, 8], low, high;
function insert(items, value) {
  var at = 0, end = items.length;
  while (at < end && items[at] < value && at < 20) at++;
  items.splice(at, 0, value);
  return at;
}
var sorted = [];
for (var i = 0; i < list.length && i < 20; i++) {
  low = insert(sorted, list[i]);
  high = insert(other, low);
}
show(sorted.join() + ";" + other.join() + ";" + low + ";" + high);
