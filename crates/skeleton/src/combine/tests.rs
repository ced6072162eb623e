use std::collections::BTreeSet;

use lydite_core::{BigUint, Choices};

use super::*;

fn region(parent: Option<usize>, label: u8, size: usize) -> Region {
    Region {
        parent,
        label,
        size,
    }
}

/// `regions` as (parent, label, size), `holes` as (region, labels).
fn shape(regions: &[(usize, u8, usize)], holes: &[(usize, Labels)]) -> Shape {
    let parent = |number: usize, parent: usize| (number > 0).then_some(parent);
    let regions = regions.iter().enumerate();
    let regions =
        regions.map(|(number, &(above, label, size))| region(parent(number, above), label, size));
    let holes = holes
        .iter()
        .map(|&(region, labels)| Hole { region, labels });
    Shape::new(regions.collect(), holes.collect())
}

/// Figure 7 of the paper: three global holes over {a, b}, two local ones over
/// {a, b, c, d}.
fn figure_7() -> Shape {
    shape(
        &[(0, 0, 2), (0, 0, 2)],
        &[(0, 1), (0, 1), (1, 1), (1, 1), (0, 1)],
    )
}

fn number(count: &BigUint) -> u64 {
    u64::try_from(count).unwrap()
}

fn count(shapes: &[Shape]) -> u64 {
    number(Fillings::new(shapes.to_vec()).unwrap().count())
}

/// The slots that each hole takes.
fn candidates(shape: &Shape) -> Vec<Vec<u32>> {
    let of_hole = |hole: &Hole| {
        let sources = shape.sources(hole).into_iter();
        let slots = sources.flat_map(|region| {
            let first = shape.first_slot(region);
            first..first + shape.regions()[region].size as u32
        });
        slots.collect()
    };
    shape.holes().iter().map(of_hole).collect()
}

/// The same for all fillings of one pattern, and for no other: the region of
/// each hole, and which earlier hole has the same variable.
fn pattern(shape: &Shape, filling: &[u32]) -> Vec<(usize, usize)> {
    let first = |slot: &u32| filling.iter().position(|other| other == slot).unwrap();
    filling
        .iter()
        .map(|slot| (shape.region_of(*slot), first(slot)))
        .collect()
}

/// The patterns of all fillings, made one by one.
fn brute_force(shape: &Shape) -> BTreeSet<Vec<(usize, usize)>> {
    let candidates = candidates(shape);
    let mut digits = vec![0usize; candidates.len()];
    let mut patterns = BTreeSet::new();
    loop {
        let filling: Vec<u32> = digits
            .iter()
            .zip(&candidates)
            .map(|(&digit, all)| all[digit])
            .collect();
        patterns.insert(pattern(shape, &filling));
        let Some(at) = (0..digits.len())
            .rev()
            .find(|&at| digits[at] + 1 < candidates[at].len())
        else {
            return patterns;
        };
        digits[at] += 1;
        digits[at + 1..].fill(0);
    }
}

/// Everything that is said of fillings, compared with making all of them.
fn check(shape: &Shape) {
    let expected = brute_force(shape);
    let fillings = Fillings::new(vec![shape.clone()]).unwrap();
    assert_eq!(number(fillings.count()), expected.len() as u64, "{shape:?}");
    let candidates = candidates(shape);
    let naive: usize = candidates.iter().map(Vec::len).product();
    assert_eq!(number(fillings.naive()), naive as u64);
    let mut met = BTreeSet::new();
    let mut walk = fillings.walk(&BigUint::ZERO).unwrap();
    for index in 0..expected.len() {
        let filling = walk.filling().to_vec();
        assert!(
            met.insert(pattern(shape, &filling)),
            "twice: {filling:?} of {shape:?}"
        );
        let index = BigUint::from(index);
        assert_eq!(fillings.nth(&index).unwrap(), filling, "{shape:?}");
        assert_eq!(fillings.index_of(&filling).unwrap(), index, "{shape:?}");
        for (slot, candidates) in filling.iter().zip(&candidates) {
            assert!(candidates.contains(slot));
        }
        let last = index == fillings.count() - BigUint::ONE;
        assert_eq!(walk.advance(), !last, "{shape:?}");
    }
    assert_eq!(met, expected);
    assert_eq!(fillings.nth(fillings.count()), None);
}

/// A shape with at most so many regions, variables, labels and holes, whose
/// fillings are at most `naive`.
fn drawn(choices: &mut Choices, most: [usize; 4], naive: usize) -> Shape {
    let [regions, mut variables, labels, holes] = most;
    let count = 1 + choices.index(regions).unwrap();
    let mut rows = Vec::new();
    for number in 0..count {
        let parent = choices.index(number.max(1)).unwrap();
        let label = choices.index(labels).unwrap() as u8;
        let size = choices.index(variables.min(4) + 1).unwrap();
        variables -= size;
        rows.push((parent, label, size));
    }
    let empty = shape(&rows, &[]);
    let mut made = Vec::new();
    let mut product = 1;
    for _ in 0..choices.index(holes + 1).unwrap() {
        let hole = Hole {
            region: choices.index(count).unwrap(),
            labels: choices.between(1, (1 << labels) - 1).unwrap(),
        };
        let candidates = empty.candidates(&hole);
        if candidates > 0 && product * candidates <= naive {
            product *= candidates;
            made.push((hole.region, hole.labels));
        }
    }
    shape(&rows, &made)
}

#[test]
fn the_examples_of_the_paper_have_these_counts() {
    let flat = |size: usize, holes: usize| shape(&[(0, 0, size)], &vec![(0, 1); holes]);
    // Figure 5: 64 fillings; figure 2: 5 holes over 5 variables, a Bell number.
    assert_eq!(count(&[flat(2, 6)]), 32);
    assert_eq!(count(&[flat(5, 5)]), 52);
    assert_eq!(count(&[figure_7()]), 40);
    let naive = Fillings::new(vec![figure_7()]).unwrap();
    assert_eq!(number(naive.naive()), 128);
    // Figure 6: holes 4 to 8 see the inner scope; declarators are holes there.
    let figure_6 = shape(
        &[(0, 0, 2), (0, 0, 2)],
        &[
            (0, 1),
            (0, 1),
            (0, 1),
            (1, 1),
            (1, 1),
            (1, 1),
            (1, 1),
            (1, 1),
            (0, 1),
            (0, 1),
        ],
    );
    let fillings = Fillings::new(vec![figure_6.clone()]).unwrap();
    assert_eq!(number(fillings.naive()), 32_768);
    assert_eq!(
        number(fillings.count()),
        brute_force(&figure_6).len() as u64
    );
}

#[test]
fn the_count_of_the_paper_can_be_had_beside_the_exact_one() {
    assert_eq!(number(&paper_count(&figure_7())), 36);
    // Without local scopes the two agree.
    for (size, holes) in [(0, 0), (1, 3), (2, 6), (5, 5), (3, 2)] {
        let flat = shape(&[(0, 0, size)], &vec![(0, 1); holes]);
        assert_eq!(
            number(&paper_count(&flat)),
            count(&[flat]),
            "{size} {holes}"
        );
    }
}

#[test]
fn a_product_of_functions_differs_from_the_joint_count_once_they_share_two_globals() {
    for (globals, product, joint) in [(1, 1, 1), (2, 4, 8)] {
        let function = shape(&[(0, 0, globals)], &[(0, 1), (0, 1)]);
        assert_eq!(count(&[function.clone(), function]), product);
        let regions = [(0, 0, globals), (0, 0, 0), (0, 0, 0)];
        let both = shape(&regions, &[(1, 1), (1, 1), (2, 1), (2, 1)]);
        assert_eq!(count(&[both]), joint);
    }
}

#[test]
fn counts_equal_brute_force_for_every_small_tree_of_scopes() {
    // Trees by the parents of regions 1, 2, …: flat, one inside, siblings,
    // nested, a chain beside a sibling.
    let trees: [&[usize]; 5] = [&[], &[0], &[0, 0], &[0, 1], &[0, 1, 0]];
    let mut shapes = 0;
    for tree in trees {
        let regions = tree.len() + 1;
        for sizes in sums(regions, 5) {
            let row = |(number, &size): (usize, &usize)| {
                let parent = if number == 0 { 0 } else { tree[number - 1] };
                (parent, 0, size)
            };
            let rows: Vec<_> = sizes.iter().enumerate().map(row).collect();
            let empty = shape(&rows, &[]);
            for held in sums(regions, 8) {
                let holes = held.iter().enumerate();
                let holes: Vec<(usize, Labels)> = holes
                    .flat_map(|(region, &count)| vec![(region, 1); count])
                    .collect();
                let candidates = |&(region, labels): &(usize, Labels)| {
                    empty.candidates(&Hole { region, labels })
                };
                let naive: usize = holes.iter().map(candidates).product();
                if (1..=150).contains(&naive) {
                    check(&shape(&rows, &holes));
                    shapes += 1;
                }
            }
        }
    }
    assert!(shapes > 10_000, "{shapes}");
}

/// All lists of `length` numbers whose sum is at most `most`.
fn sums(length: usize, most: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..length {
        let longer = |list: &Vec<usize>| -> Vec<Vec<usize>> {
            let left = most - list.iter().sum::<usize>();
            (0..=left)
                .map(|next| [&list[..], &[next]].concat())
                .collect()
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists
}

#[test]
fn counts_equal_brute_force_where_holes_differ_in_what_they_take() {
    for stream in 0..3_000 {
        let mut choices = Choices::seeded(8, stream);
        check(&drawn(&mut choices, [5, 5, 3, 8], 3_000));
    }
}

#[test]
fn counts_equal_brute_force_up_to_eight_holes_over_five_variables() {
    let all = vec![(0, 1); 8];
    check(&shape(&[(0, 0, 5)], &all));
    for stream in 0..6 {
        let mut choices = Choices::seeded(9, stream);
        check(&drawn(&mut choices, [4, 5, 2, 8], 5usize.pow(8)));
    }
}

/// Burnside's lemma, permutation by permutation.
fn burnside(shape: &Shape) -> BigUint {
    let sizes: Vec<usize> = shape.regions().iter().map(|region| region.size).collect();
    let kept: Vec<Vec<usize>> = sizes
        .iter()
        .map(|&size| kept_by_permutations(size))
        .collect();
    let mut sum = BigUint::ZERO;
    let mut all = BigUint::ZERO;
    let mut digits = vec![0usize; sizes.len()];
    loop {
        let in_place = |region: &usize| kept[*region][digits[*region]];
        let fixed = shape
            .holes()
            .iter()
            .map(|hole| BigUint::from(shape.sources(hole).iter().map(in_place).sum::<usize>()));
        sum += fixed.fold(BigUint::ONE, |product, ways| product * ways);
        all += BigUint::ONE;
        let Some(at) = (0..digits.len()).find(|&at| digits[at] + 1 < kept[at].len()) else {
            assert_eq!(&sum % &all, BigUint::ZERO);
            return sum / all;
        };
        digits[at] += 1;
        digits[..at].fill(0);
    }
}

/// How many of `size` things each of their permutations leaves in place.
fn kept_by_permutations(size: usize) -> Vec<usize> {
    let mut permutations = vec![Vec::new()];
    for thing in 0..size {
        let longer = |p: &Vec<usize>| -> Vec<Vec<usize>> {
            let insert = |at: usize| [&p[..at], &[thing], &p[at..]].concat();
            (0..=p.len()).map(insert).collect()
        };
        permutations = permutations.iter().flat_map(longer).collect();
    }
    let kept = |p: &Vec<usize>| {
        p.iter()
            .enumerate()
            .filter(|(at, thing)| at == *thing)
            .count()
    };
    permutations.iter().map(kept).collect()
}

#[test]
fn larger_counts_equal_burnside() {
    for stream in 0..150 {
        let mut choices = Choices::seeded(10, stream);
        let shape = drawn(&mut choices, [6, 10, 3, 60], usize::MAX >> 8);
        let fillings = Fillings::new(vec![shape.clone()]).unwrap();
        assert_eq!(*fillings.count(), burnside(&shape), "{shape:?}");
        for _ in 0..4 {
            let index = choices.below_big(fillings.count()).unwrap();
            let filling = fillings.nth(&index).unwrap();
            assert_eq!(fillings.index_of(&filling).unwrap(), index);
        }
    }
}

#[test]
fn a_filling_has_the_number_of_its_pattern_whatever_its_variables() {
    let fillings = Fillings::new(vec![figure_7(), figure_7()]).unwrap();
    // (a, b, c, d, a) and (b, a, d, c, b); the second shape begins at slot 4.
    let one = [0, 1, 2, 3, 0, 4, 4, 4, 4, 4];
    let other = [1, 0, 3, 2, 1, 5, 5, 5, 5, 5];
    let index = fillings.index_of(&one).unwrap();
    assert_eq!(fillings.index_of(&other).unwrap(), index);
    assert_eq!(fillings.nth(&index).unwrap(), one);
    // A local variable in a global hole, a wrong length, an unknown slot.
    for bad in [
        &[2, 0, 0, 0, 0, 4, 4, 4, 4, 4][..],
        &[0, 0],
        &[0, 0, 0, 0, 0, 9, 4, 4, 4, 4],
    ] {
        assert_eq!(fillings.index_of(bad), None, "{bad:?}");
    }
}

#[test]
fn four_hundred_holes_count_and_draw() {
    let mut rows = vec![(0, 0, 6)];
    let mut holes = Vec::new();
    for scope in 1..40 {
        rows.push((scope - 1 - (scope - 1) % 5, 0, 1 + scope % 4));
        holes.extend(vec![(scope, 1); 11]);
    }
    let shape = shape(&rows, &holes);
    let fillings = Fillings::new(vec![shape]).unwrap();
    assert!(fillings.count().to_string().len() > 300);
    let mut choices = Choices::seeded(1, 2);
    let filling = fillings.sample(&mut choices).unwrap();
    let index = fillings.index_of(&filling).unwrap();
    assert_eq!(fillings.nth(&index).unwrap(), filling);
}

/// `scopes` scopes of `size` variables and so many holes each, inside of one
/// of 60 variables: side by side, one in the other, or in chains of five.
fn large(chain: usize, scopes: usize, size: usize, holes: usize) -> Shape {
    let mut rows = vec![(0, 0, 60)];
    let mut held = Vec::new();
    for scope in 1..=scopes {
        let parent = if (scope - 1) % chain == 0 {
            0
        } else {
            scope - 1
        };
        rows.push((parent, 0, size));
        held.extend(vec![(scope, 1); holes]);
    }
    shape(&rows, &held)
}

#[test]
fn large_shapes_take_few_steps() {
    // Scopes in a chain, scopes, variables and holes of each; how many
    // thousands of operations on numbers counting takes, and random access.
    let shapes = [
        ((1, 100, 2, 4), 50, Some(120)),
        ((5, 100, 2, 4), 100, Some(350)),
        ((1, 1, 0, 400), 1, Some(700)),
        ((1, 8, 50, 50), 100, Some(1_300)),
        ((100, 100, 2, 4), 1_500, None),
        ((1, 500, 2, 4), 260, Some(350)),
        ((5, 500, 3, 4), 500, Some(700)),
        ((1, 1, 300, 2_000), 30, None),
    ];
    for ((chain, scopes, size, holes), counting, access) in shapes {
        let shape = large(chain, scopes, size, holes);
        let name = format!("{scopes} scopes of {size} and {holes} in chains of {chain}");
        let fillings = Fillings::new(vec![shape]).unwrap();
        let steps = fillings.steps();
        assert!(steps < counting * 1_000, "{name}: {steps}");
        let filling = fillings.sample(&mut Choices::seeded(4, 2)).unwrap();
        let variables: BTreeSet<&u32> = filling.iter().collect();
        assert!(variables.len() > 50, "{name}: {}", variables.len());
        if let Some(access) = access {
            let index = fillings.index_of(&filling).unwrap();
            assert_eq!(fillings.nth(&index).unwrap(), filling, "{name}");
            let steps = fillings.steps_of_nth(&index);
            assert!(steps < access * 1_000, "{name}: {steps}");
        }
    }
}

#[test]
fn what_would_take_too_long_is_refused() {
    let rows: Vec<(usize, u8, usize)> = (0..3_000usize)
        .map(|n| (n.saturating_sub(1), 0, 3))
        .collect();
    let holes: Vec<(usize, Labels)> = (0..20_000).map(|n| (n % 3_000, 1)).collect();
    assert!(Fillings::new(vec![shape(&rows, &holes)]).is_err());
}

#[test]
fn drawing_hits_all_patterns_about_equally_often() {
    let fillings = Fillings::new(vec![figure_7()]).unwrap();
    let mut hits = vec![0u32; 40];
    let mut choices = Choices::seeded(3, 3);
    for _ in 0..40_000 {
        let filling = fillings.sample(&mut choices).unwrap();
        hits[number(&fillings.index_of(&filling).unwrap()) as usize] += 1;
    }
    assert!(hits.iter().all(|hit| (850..1150).contains(hit)), "{hits:?}");
}

#[test]
fn what_would_need_too_much_memory_is_refused() {
    let rows: Vec<(usize, u8, usize)> = (0..40)
        .map(|n: usize| (n.saturating_sub(1), n as u8, 5))
        .collect();
    let holes: Vec<(usize, Labels)> = (0..200).map(|n| (39, 1 << (n % 40))).collect();
    assert!(Fillings::new(vec![shape(&rows, &holes)]).is_err());
}
