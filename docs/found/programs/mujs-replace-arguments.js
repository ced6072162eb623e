var show = typeof print === "function" ? print : function (s) { console.log(s); };
show("bab".replace(/(x)|[b]/, function () { return arguments.length; }));
