var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String(-128n < -2.5));
