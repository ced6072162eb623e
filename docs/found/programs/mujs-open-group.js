var show = typeof print === "function" ? print : function (s) { console.log(s); };
var s; try { s = String(new RegExp("((a)\\1b)").exec("ab")); } catch (e) { s = e.name; }
show(s);
