var show = typeof print === "function" ? print : function (s) { console.log(s); };
show("<" + /(a|[b-]?){0,2}/.exec("a")[1] + ">");
