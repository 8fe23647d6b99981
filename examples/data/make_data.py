# SPDX-License-Identifier: Apache-2.0
"""Fits models on three bundled data sets and writes their predictions on unseen rows.

The files it makes are committed; run it again only to change them:

    python3 -m venv /tmp/situ-data
    /tmp/situ-data/bin/pip install -r tests/reference/requirements.txt
    /tmp/situ-data/bin/python examples/data/make_data.py

Half of each data set trains the model, the other half is predicted. expected.json holds what
scikit-learn and Keras say about the written files (so after rounding to float32, where a file is
float32). Another processor or BLAS may change the last bits of the predictions.
"""
import pathlib

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.class_weight import compute_sample_weight

import expected

FOLDER = pathlib.Path(__file__).resolve().parent


def save(name, array):
    np.save(FOLDER / name, np.ascontiguousarray(array))


def digits():
    """Ten classes: probabilities of a random forest, logits of a logistic regression."""
    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(
        x, y, test_size=0.5, random_state=0, stratify=y)
    forest = RandomForestClassifier(n_estimators=60, max_depth=9, random_state=0)
    forest.fit(x_train, y_train)
    linear = make_pipeline(StandardScaler(), LogisticRegression(C=0.02, max_iter=1000))
    linear.fit(x_train, y_train)
    save("digits_labels.npy", y_test.astype(np.int64))
    save("digits_labels_int32.npy", y_test.astype(np.int32))
    save("digits_probabilities.npy", forest.predict_proba(x_test).astype(np.float32))
    save("digits_logits.npy", linear.decision_function(x_test).astype(np.float32))


def breast_cancer():
    """Two classes: scores, labels, and weights under which both classes count the same."""
    x, y = load_breast_cancer(return_X_y=True)
    # Ten of the thirty columns: the whole set is separated almost without error.
    x_train, x_test, y_train, y_test = train_test_split(
        x[:, :10], y, test_size=0.5, random_state=0, stratify=y)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
    model.fit(x_train, y_train)
    scores = model.predict_proba(x_test)[:, 1].astype(np.float32)
    weights = compute_sample_weight("balanced", y_test).astype(np.float32)
    save("breast_cancer_labels.npy", y_test.astype(np.uint8))
    save("breast_cancer_scores.npy", scores)
    save("breast_cancer_weights.npy", weights)
    # The same numbers as text; nine significant digits give every float32 back.
    with open(FOLDER / "breast_cancer.csv", "w") as out:
        out.write("y_true,y_pred,weight\n")
        for label, score, weight in zip(y_test, scores, weights):
            out.write(f"{label},{score:.9g},{weight:.9g}\n")


def diabetes():
    """Regression: a linear model in float64, boosted trees in float32."""
    x, y = load_diabetes(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.5, random_state=0)
    linear = RidgeCV(alphas=np.logspace(-3, 2, 20)).fit(x_train, y_train)
    trees = GradientBoostingRegressor(n_estimators=60, max_depth=2, random_state=0)
    trees.fit(x_train, y_train)
    save("diabetes_targets.npy", y_test.astype(np.float64))
    save("diabetes_targets_float32.npy", y_test.astype(np.float32))
    save("diabetes_predictions.npy", linear.predict(x_test).astype(np.float64))
    save("diabetes_predictions_float32.npy", trees.predict(x_test).astype(np.float32))


if __name__ == "__main__":
    digits()
    breast_cancer()
    diabetes()
    expected.write(FOLDER)
