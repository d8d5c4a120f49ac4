// Why a form was refused, where none of its fields says it. Knows no field.
import { ApiError } from '../../api/client.ts';
import styles from '../page/section-page.module.css';

/** What is wrong with each field. */
export const fieldFaults = (error: Error | null) => (error instanceof ApiError ? error.fields : {});

interface FormFaultProps {
  error: Error | null;
  /** What is said of it, its message by default. */
  textOf?: (error: Error) => string;
}

/** Nothing where a field says it. */
export const FormFault = ({ error, textOf = ({ message }) => message }: FormFaultProps) =>
  error === null || Object.keys(fieldFaults(error)).length > 0 ? null : (
    <p role="alert" className={styles.error}>
      {textOf(error)}
    </p>
  );
