var show = typeof print === "function" ? print : function (s) { console.log(s); };
var s; try { s = decodeURI("%e4%bd"); } catch (e) { s = e.name; }
show(s);
