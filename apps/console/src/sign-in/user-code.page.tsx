import { Button, Stack, TextInput } from '@mantine/core';
import type { PageData } from '@millwright/pages';

/** Form for the code that a device shows. It is a plain HTML form, whose answer is the consent page. */
export function UserCode({ userCode, isUnknown }: PageData['user-code']) {
  return (
    <form method="post" action="/admin/device">
      <p>Enter the code that your device or program shows. Only enter a code that you asked for just now.</p>
      <Stack gap="md" mb="md">
        <TextInput
          label="Code"
          name="user_code"
          defaultValue={userCode}
          error={isUnknown ? 'This code is not known, was used before or has expired.' : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          maxLength={50}
          autoFocus
        />
        <Button type="submit">Continue</Button>
      </Stack>
    </form>
  );
}
