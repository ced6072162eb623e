var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(JSON.stringify(/(a?){0,2}(?!b)/.exec("ab")));
