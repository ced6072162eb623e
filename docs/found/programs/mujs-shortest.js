var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String(19007199254740992));
