/** A class that is below a generic one in two ways, for the same types. */
public class SolvedTwice {
    interface Function {
        double at(double x);
    }

    interface Smooth extends Function {
        double slope(double x);
    }

    static class Missed extends IllegalStateException {
        Missed(String text) {
            super(text);
        }
    }

    interface Solver<F extends Function> {
        double solve(int most, F function, double start);

        double solve(int most, F function, double start, double end);
    }

    interface SmoothSolver extends Solver<Smooth> {}

    abstract static class BaseSolver<F extends Function> implements Solver<F> {
        F function;

        public double solve(int most, F function, double start) {
            this.function = function;
            double x = start;
            for (int turn = 0; turn < most; turn++) x = next(x);
            return x;
        }

        public double solve(int most, F function, double start, double end) {
            return solve(most, function, (start + end) / 2);
        }

        abstract double next(double x);
    }

    abstract static class BaseSmoothSolver extends BaseSolver<Smooth> implements SmoothSolver {
        double slope(double x) {
            return function.slope(x);
        }
    }

    static class Newton extends BaseSmoothSolver {
        @Override
        public double solve(int most, Smooth function, double start, double end) throws Missed {
            if (most < 1) throw new Missed("no turns");
            return super.solve(most, function, start + (end - start) / 4);
        }

        @Override
        double next(double x) {
            return x - function.at(x) / slope(x);
        }
    }

    interface Field<T> {
        T add(T other);
    }

    interface Real<T> extends Field<T> {
        double value();
    }

    static class Matrix<T extends Field<T>> {
        final T[] row;

        Matrix(T[] row) {
            this.row = row;
        }

        T sum() {
            T sum = row[0];
            for (int at = 1; at < row.length; at++) sum = sum.add(row[at]);
            return sum;
        }
    }

    static class Number implements Real<Number> {
        final double value;

        Number(double value) {
            this.value = value;
        }

        public Number add(Number other) {
            return new Number(value + other.value);
        }

        public double value() {
            return value;
        }
    }

    static <S extends Real<S>> S taylor(S time, S[] scaled, Matrix<S> matrix) {
        return matrix.sum().add(time).add(scaled[0]);
    }

    static class Steps<T extends Real<T>> {
        T[] scaled;
        Matrix<T> matrix;
        T time;

        Steps(T time, T[] scaled) {
            this.time = time;
            this.scaled = scaled;
            this.matrix = new Matrix<>(scaled);
        }

        T step() {
            return taylor(time.add(time), scaled, matrix);
        }
    }

    public static void main(String[] args) {
        Smooth square = new Smooth() {
            public double at(double x) {
                return x * x - 2;
            }

            public double slope(double x) {
                return 2 * x;
            }
        };
        Newton newton = new Newton();
        System.out.println((int) (newton.solve(9, square, 1) * 1000) + " " + (int) (newton.solve(9, square, 1, 2) * 1000));
        SmoothSolver smooth = newton;
        Solver<Smooth> solver = newton;
        System.out.println((int) (smooth.solve(9, square, 1, 4) * 1000) + " " + (int) (solver.solve(9, square, 2, 4) * 1000));
        try {
            solver.solve(0, square, 1, 2);
        } catch (Missed e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Steps<>(new Number(1), new Number[] {new Number(2), new Number(3)}).step().value());
    }
}
