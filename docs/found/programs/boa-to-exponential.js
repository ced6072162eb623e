var show = typeof print === "function" ? print : function (s) { console.log(s); };
show((25).toExponential(0) + " " + (2.5).toExponential(0));
