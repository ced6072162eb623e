; strings replace all
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(assert (= (str.replace_all s "a" "bb") "bbcbb"))
(assert (str.prefixof "a" s))
(assert (str.suffixof "a" s))
(assert (str.is_digit (str.replace s "aca" "7")))
(check-sat)
