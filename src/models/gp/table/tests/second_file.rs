//! Rows of a second file.

use super::*;

#[test]
fn a_second_file_is_predicted_as_if_its_rows_were_in_the_first() {
    let text = table(30);
    let settings = [("train_fraction", "0.8"), ("exact_loo", "true"), ("sigma2_grid", "0.3,1")];
    let plain = solved(&text.replacen("a,b,c,y\n", "a,b,c,y\n0.5,0.1,0,\n-2,1,0,?\n", 1), &settings);
    let (spec, snapshot) = second(&text, "who,c,a,y,b\nx,0,0.5,1,0.1\ny,0,-2,,1\n", &settings).unwrap();
    let ((_, before, scores), (main, after, others)) = (main_of(&plain), main_of(&snapshot));
    let (first, second_file) = (&before.predictions, &after.predictions);
    assert_eq!(
        (&before.x, &first.test, &first.unlabelled, scores),
        (&after.x, &second_file.test, &second_file.second, others)
    );
    let (plain, with_second) = (&plain.classifier, &snapshot.classifier);
    assert_eq!((&plain.scan, plain.retrained.len()), (&with_second.scan, with_second.retrained.len()));
    assert!(second_file.unlabelled.is_empty() && main.table.second_lines == [2, 3]);
    let figures = UserTable::figures(&spec, &snapshot);
    let figure = figures.iter().find(|f| f.id == "predicted").unwrap();
    assert!(
        figure
            .caption
            .starts_with("Of 2 rows in new.csv, 1 are predicted y = 1 and 1 y = 0. Of those with a label, "),
        "{}",
        figure.caption
    );
    assert_eq!(["p", "field"].map(|key| figure.find(key).unwrap().len()), [2, 2]);
    assert!(figures.iter().all(|f| f.id != "predictions" || !f.caption.contains("new.csv")));
    // A row of the second file, and a row of the first without a label.
    let more = text.replacen("a,b,c,y\n", "a,b,c,y\n0.5,0.1,0,\n", 1);
    let (_, snapshot) = second(&more, "a,b,c\n-2,1,0\n", &settings).unwrap();
    let both = &main_of(&snapshot).1.predictions;
    assert_eq!((&both.unlabelled[..], &both.second[..]), (&first.unlabelled[..1], &first.unlabelled[1..]));
}

#[test]
fn an_error_in_the_second_file_names_its_row_and_column() {
    let text = table(12);
    let problem = |other: &str| second(&text, other, &[]).unwrap_err();
    let lacking = problem("a,c,y\n1,2,0\n");
    assert_eq!(lacking.field, "predict");
    assert!(lacking.given.starts_with("new.csv@") && lacking.expected.contains("column “b”"), "{lacking}");
    assert!(problem("a,b,c\n1,2,3\n1,,3\n").expected.starts_with("Row 3, column “b” is missing"));
    assert!(problem("a,b,c\n1,2,3\n1,2,red\n").expected.starts_with("Row 3, column “c” is “red”"));
    let (store, named) = store(&text);
    let spec = checked(&named, &[("predict", "gone.csv")]);
    assert_eq!(UserTable::prepare(&spec, &store, None).err().unwrap()[0].field, "predict");
}
