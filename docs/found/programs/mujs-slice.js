var show = typeof print === "function" ? print : function (s) { console.log(s); };
show("<" + "aaa".slice(2, NaN) + ">");
