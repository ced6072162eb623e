var show = typeof print === "function" ? print : function (s) { console.log(s); };
show((function (x) { return typeof (x++); })("5") + (function (x) { var y = x++; return typeof y; })("5"));
