// The end of a form of settings: why it was refused, and the button that saves it. Knows no field.
import { Button } from '@mantine/core';
import { texts } from '../../texts.ts';
import styles from '../page/section-page.module.css';

interface FormEndProps {
  /** Of the form as a whole. */
  error: Error | null;
  isPending: boolean;
  isChanged?: boolean;
}

export const FormEnd = ({ error, isPending, isChanged = true }: FormEndProps) => (
  <>
    {error !== null && (
      <p role="alert" className={styles.error}>
        {error.message}
      </p>
    )}
    <div className={styles.actions}>
      <Button type="submit" loading={isPending} disabled={!isChanged}>
        {texts.save}
      </Button>
    </div>
  </>
);
