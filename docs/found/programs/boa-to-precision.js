var show = typeof print === "function" ? print : function (s) { console.log(s); };
show((5e-324).toPrecision(2));
