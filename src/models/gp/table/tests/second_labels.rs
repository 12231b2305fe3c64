//! Labels of a second file.

use super::*;

/// The scores of a second file with labels are those of the same rows as test rows.
#[test]
fn labels_in_the_second_file_give_scores() {
    for (classes, positive) in [(2, ""), (3, ""), (3, "b")] {
        let names = ["a", "b", "c"];
        let text = table(60);
        let rows = text.lines().skip(1).enumerate().map(|(i, row)| {
            let up = usize::from(row.ends_with('1'));
            format!(
                "{},{}",
                row.rsplit_once(',').unwrap().0,
                names[if i % 7 == 0 { classes - 1 } else { up }]
            )
        });
        let rows: Vec<String> = rows.collect();
        let settings = [("positive", positive), ("v", "0.3")];
        let tagged = rows
            .iter()
            .enumerate()
            .map(|(i, row)| format!("{},{row}\n", if i < 40 { "train" } else { "test" }));
        let tested = format!("part,a,b,c,y\n{}", tagged.collect::<String>());
        let (spec, tests) = run(&tested, &settings).unwrap();
        let expected = UserTable::report(&spec, &tests);
        let file = |rows: &[String]| format!("a,b,c,y\n{}\n", rows.join("\n"));
        let (spec, snapshot) =
            second(&file(&rows[..40]), &(file(&rows[40..]) + "1,1,1,\n0,0,0,d\n"), &settings).unwrap();
        let report = UserTable::report(&spec, &snapshot);
        let others = usize::from(!positive.is_empty());
        assert_eq!(report["predicted_scores"]["rows"], 20 + others, "{positive}");
        if others == 0 {
            let scores = if classes == 2 { &expected["test_scores"] } else { &expected["scores"]["test"] };
            assert_eq!(&report["predicted_scores"], scores, "{classes}");
            let figures = UserTable::figures(&spec, &snapshot);
            let names = &figures.iter().find(|figure| figure.id == "scores").unwrap().x.names;
            assert!(names.iter().any(|name| name == "TAP, second file"), "{names:?}");
        }
        let (spec, unlabelled) = second(&file(&rows[..40]), "a,b,c\n1,1,1\n", &settings).unwrap();
        assert!(UserTable::report(&spec, &unlabelled)["predicted_scores"].is_null());
    }
}
