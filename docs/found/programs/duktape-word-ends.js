print("abcabc".match(/\b/g).length);
