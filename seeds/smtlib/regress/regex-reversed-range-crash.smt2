; Every string is in this language, whose last part is a range without
; characters, repeated: segmentation fault.
; Old spelling: str.in.re, str.to.re are str.in_re, str.to_re today (cvc5 rejects the old names).
; Bad: z3 4.5.1 (crash). Good: from 4.8.0 (post1) on.
(set-logic QF_S)
(set-info :status unsat)
(declare-fun x () String)
(assert (not (str.in.re x (re.++ (re.* re.allchar) (re.opt (str.to.re "b")) (re.* (re.range "b" "a"))))))
(check-sat)
