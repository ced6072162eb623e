var show = typeof print === "function" ? print : function (s) { console.log(s); };
var s; try { s = String(/(a?)*?c/.exec("a")); } catch (e) { s = e.name; }
show(s);
