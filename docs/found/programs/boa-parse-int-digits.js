var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String(parseInt("9223372036854775806")) + " " + parseInt("1000000000000000128"));
