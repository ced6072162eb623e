var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(JSON.stringify(/(.*?\1)d/.exec("aad")));
