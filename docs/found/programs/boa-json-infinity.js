var show = typeof print === "function" ? print : function (s) { console.log(s); };
var s; try { s = String(JSON.parse("[1e400]")[0]); } catch (e) { s = e.name; }
show(s);
