var show = typeof print === "function" ? print : function (s) { console.log(s); };
show((9007199254740991).toString(16));
