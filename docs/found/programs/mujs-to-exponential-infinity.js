var show = typeof print === "function" ? print : function (s) { console.log(s); };
var s; try { s = (Infinity).toExponential(-1); } catch (e) { s = e.name; }
show(s);
