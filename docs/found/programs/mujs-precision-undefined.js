var show = typeof print === "function" ? print : function (s) { console.log(s); };
var s; try { s = (-1).toPrecision(undefined); } catch (e) { s = e.name; }
show(s);
