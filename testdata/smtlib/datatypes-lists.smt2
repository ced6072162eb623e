; datatypes lists
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-const l (List Int))
(assert ((_ is cons) l))
(assert (= (head l) 3))
(assert (= (tail l) (cons 4 (as nil (List Int)))))
(check-sat)
