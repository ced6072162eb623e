var show = typeof print === "function" ? print : function (s) { console.log(s); };
show((-0).toExponential(2));
