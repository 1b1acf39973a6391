import type { UseFormReturnType } from '@mantine/form';
import type { OnFaults } from './use-action.js';

/** Shows the server's faults at the inputs of a form whose fields have the API's names. The first input with a fault takes the focus. */
export function faultsOfForm<Values extends object>(
  form: Pick<UseFormReturnType<Values>, 'setErrors' | 'values' | 'getInputNode'>,
): OnFaults {
  return (faults) => {
    const known = Object.entries(faults).filter(([field]) => field in form.values);
    form.setErrors(Object.fromEntries(known));
    const [first] = known[0] ?? [];
    if (first !== undefined) form.getInputNode(first)?.focus();
    return known.length === Object.keys(faults).length;
  };
}
