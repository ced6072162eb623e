; A digit lies before every letter.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-fun d () String)
(declare-fun c () String)
(assert (str.is_digit d))
(assert (str.in_re c (re.union (re.range "a" "z") (re.range "A" "Z"))))
(assert (or (>= (str.to_code d) (str.to_code c)) (= (str.from_code (- (str.to_code d) 48)) d)))
(check-sat)
