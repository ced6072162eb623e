var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String([1].some(function () { return "x"; })));
