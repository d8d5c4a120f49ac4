// The message for a refused password or code. Knows neither.
import { ApiError } from '../../api/client.ts';
import { loginTexts } from '../../pages/login/texts.ts';

export const guessRefusal = (error: Error): string =>
  error instanceof ApiError && error.status === 429 && error.retryAfter !== null
    ? loginTexts.wait(error.retryAfter)
    : error.message;
