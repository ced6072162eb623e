var show = typeof print === "function" ? print : function (s) { console.log(s); };
show((2.5).toExponential(undefined));
