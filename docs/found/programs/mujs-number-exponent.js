var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String(Number("1e")));
