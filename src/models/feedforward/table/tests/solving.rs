//! Solves that need long, fail, or do not fit into memory.

use super::*;

#[test]
fn the_fraction_done_follows_the_residual_and_the_ladder() {
    let mut store = Store::default();
    let hash = store.load(format!("a,b,y\n{}\n", forty().join("\n")).as_bytes()).unwrap().hash;
    for fit in ["none", "evidence"] {
        let spec = spec(&[("fit", fit), ("data", &format!("t.csv@{hash}"))]);
        let mut work = TableWork::new((*spec).clone(), read_rows(&spec, &store).unwrap(), None);
        work.begin(if fit == "none" { 0 } else { 2 });
        let mut fractions = Vec::new();
        while !work.step(&mut lab::Budget::new(1)) {
            fractions.push(work.fraction());
        }
        assert!(fractions.iter().all(|fraction| (0.0..=1.0).contains(fraction)), "{fractions:?}");
        assert!(fractions.is_sorted(), "{fractions:?}");
        let [half, last] = [fractions[fractions.len() / 2], fractions[fractions.len() - 1]];
        assert!(
            half < 0.85 && last > 0.5 && last > half,
            "{fit}: {half} after half of the sweeps, {last} at the end"
        );
    }
}

/// At a large β labels that are noise have no solution: the solve ends soon, and its fraction done grows until then.
#[test]
fn a_hopeless_solve_ends_and_its_fraction_grows() {
    let text = noise(600);
    let mut store = Store::default();
    let hash = store.load(text.as_bytes()).unwrap().hash;
    // With shared variances there are six schedules, at the given β and at the end of the climb.
    for (variance, most) in [("own", 2500), ("shared", 4500)] {
        let pairs = [("beta", "6"), ("variance", variance), ("data", &format!("t.csv@{hash}"))];
        let spec = spec(&pairs);
        let mut work = TableWork::new((*spec).clone(), read_rows(&spec, &store).unwrap(), None);
        work.begin(0);
        let mut fractions = Vec::new();
        while !work.step(&mut lab::Budget::new(1)) {
            fractions.push(work.fraction());
        }
        let snapshot = work.snapshot();
        assert_eq!(snapshot.solution, None, "{variance}");
        assert!((200..most).contains(&snapshot.sweeps), "{variance}: {}", snapshot.sweeps);
        assert!(fractions.is_sorted() && *fractions.last().unwrap() <= 1.0, "{variance}");
        let tenths: Vec<f64> = (1..10).map(|i| fractions[i * fractions.len() / 10]).collect();
        assert!(tenths.windows(2).all(|two| two[0] < two[1]) && tenths[8] < 1.0, "{variance}: {tenths:?}");
        // The estimate of the whole is never far off.
        let whole = |i: usize| 0.1 * i as f64 / tenths[i - 1];
        assert!((1..10).all(|i| (0.2..5.0).contains(&whole(i))), "{variance}: {tenths:?}");
    }
}

#[test]
fn a_failed_solve_has_no_result_at_any_beta() {
    let outcome = |residual: f64, beta: &str| {
        let spec = spec(&[("beta", beta)]);
        let ending = if residual.is_finite() { Ending::MaxIterations } else { Ending::NonFinite };
        UserTable::status(&spec, &TableSnapshot { ending: Some(ending), ..TableSnapshot::default() }).outcome
    };
    for beta in ["2", "inf"] {
        assert_eq!(outcome(f64::INFINITY, beta), lab::Outcome::NoResult);
        assert_eq!(outcome(1.0, beta), lab::Outcome::NoResult);
    }
    // A column of large numbers.
    let text = "a,b,y\n5000,1,0\n5001,-1,1\n4999,0.5,1\n5002,0,0\n5000,2,1\n4998,-2,0\n";
    let shared = [("standardise", "false"), ("variance", "shared")];
    let snapshot = run(text, &shared).unwrap();
    assert!(snapshot.ending.is_some_and(|ending| Outcome::from(ending) == Outcome::NoResult));
    let spec = spec(&shared);
    let why = UserTable::status(&spec, &snapshot).reason.unwrap();
    assert!(why.ends_with("standardise the columns, or fit β"), "{why}");
    assert!(run(text, &[shared[0], shared[1], ("fit", "evidence")]).unwrap().solution.is_some());
    assert!(run(text, &[shared[1]]).unwrap().solution.is_some());
    assert!(run(text, &[shared[0]]).unwrap().solution.is_some(), "with a variance for each row");
}

#[test]
fn labels_that_contradict_each_other_have_no_solution_without_noise() {
    // Two equal rows with different labels.
    let text = "a,b,y\n1,2,0\n1,2,1\n-1,1,0\n0.5,-1,1\n";
    let snapshot = run(text, &[("beta", "inf")]).unwrap();
    assert_eq!((snapshot.ending.map(Outcome::from), &snapshot.solution), (Some(Outcome::NoResult), &None));
    assert_eq!(snapshot.residuals.last().map(|r| r.step), Some(snapshot.sweeps));
    let spec = spec(&[("beta", "inf")]);
    let figures = UserTable::figures(&spec, &snapshot);
    assert_eq!(figures[0].id, "residual");
    assert!(figures[0].find("residual").is_some_and(|mark| mark.len() > 100));
    assert!(figures.iter().all(|f| f.caption.contains("choose a finite β")));
    assert!(run(text, &[("beta", "2")]).unwrap().solution.is_some());
}

/// Both the advised β and a fit of β have a solution.
#[test]
fn following_the_advice_leads_to_a_solution() {
    let text = "a,b,y\n1,2,0\n1,2,1\n-1,1,0\n0.5,-1,1\n";
    for (beta, variance) in [("inf", "own"), ("12", "own"), ("inf", "shared")] {
        let settings = [("beta", beta), ("variance", variance)];
        let snapshot = run(text, &settings).unwrap();
        let advised = snapshot.advised_beta.unwrap();
        assert!(
            snapshot.solution.is_none() && advised > 0.0 && advised < 12.5,
            "{beta}, {variance}: {advised}"
        );
        let why = UserTable::status(&spec(&settings), &snapshot).reason.unwrap();
        assert!(why.contains(&advised.to_string()) && why.contains("or fit β"), "{why}");
        let followed = run(text, &[("beta", &advised.to_string()), ("variance", variance)]).unwrap();
        assert_eq!(followed.solution.map(|solved| solved.beta), Some(advised), "{beta}, {variance}");
        let found = UserTable::found(&spec(&settings), &snapshot);
        assert_eq!((found["beta"].clone(), found["fit"].as_str()), (advised.to_string(), "none"));
        let fit = [("fit", "evidence"), ("variance", variance)];
        let fitted = run(text, &fit).unwrap();
        let found = UserTable::found(&spec(&fit), &fitted);
        let kept = fitted.solution.as_ref().filter(|_| fitted.kept() == Kept::Fitted);
        assert!(fitted.solution.is_some());
        assert_eq!(found.get("beta").map(|beta| beta.parse().unwrap()), kept.map(|solution| solution.beta));
    }
}

/// The limits on rows, and the memory of a plan.
#[test]
fn rows_are_limited_by_memory() {
    let most = 20_000_000;
    for columns in [2, 50] {
        let limit = needs(columns).training.unwrap().0;
        assert!(limit * columns <= most && (limit + 1) * columns > most, "{columns}: {limit}");
    }
    let bytes = |rows: usize, variance: &str| {
        let text = "a,y\n".to_owned() + &"1,0\n2,1\n".repeat(rows / 2);
        let facts = Store::default().load(text.as_bytes()).unwrap().clone();
        UserTable::plan(&spec(&[("variance", variance)]), Some(&facts)).memory_per_worker()
    };
    assert_eq!([4, 100].map(|rows| bytes(rows, "shared")), [3 * 8 * 8, 3 * 8 * 200]);
    assert_eq!([4, 100].map(|rows| bytes(rows, "auto")), [(6 + 24) * 8 * 4, (6 + 24) * 8 * 100]);
}
