import { clip } from '@knowledge-warehouse/plugin/protocol';

// The type that a plain thrown error of TypeScript or Python arrives with. It carries no plugin code.
const plainErrors = new Set(
  `Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError Exception BaseException
   ArithmeticError AssertionError AttributeError BufferError ConnectionError EOFError FileNotFoundError ImportError
   IndexError IOError KeyError LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError
   OverflowError PermissionError RecursionError RuntimeError StopIteration SystemError TimeoutError UnicodeDecodeError
   UnicodeError ValueError ZeroDivisionError JSONDecodeError`.split(/\s+/),
);

const longestCode = 100;

/** The message of a failure that a worker gave none. */
export const noMessage = 'The worker reported a failure without a message.';

/** The failure code for an error type; plain thrown errors have none of their own. */
export function failureCodeOf(type: string | undefined | null): string {
  return (
    clip(type === undefined || type === null || plainErrors.has(type) ? '' : type, longestCode) ||
    'STEP_FAILED'
  );
}
