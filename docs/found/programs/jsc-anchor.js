var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String(/(?:^a)?b/.exec("cb")));
