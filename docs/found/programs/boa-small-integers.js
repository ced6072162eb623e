var show = typeof print === "function" ? print : function (s) { console.log(s); };
show(String(new Int8Array([1e20])[0]) + " " + new Uint16Array([1e20])[0]);
