var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String("bab".split("a", -1).length));
