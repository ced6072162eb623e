function show(s) { if (typeof print === "function") print(s); else console.log(s); }
var total = 0, skipped = 0, limit = 6, step = 2;
outer: for (var i = 0; i < 6; i++) {
  for (var j = i; j < 6; j += 1) {
    if (j * step > limit + i) continue outer;
    if (total > 40) break outer;
    switch (j % 3) {
      case 0: total += i; break;
      case 1: skipped += j;
      default: total += step;
    }
  }
}
show(total + "," + skipped + "," + limit + "," + step);
