/** Links for users without a working passkey. */
export function WaysIn() {
  return (
    <p className="aside">
      <a href="/admin/register">Create an account</a> · <a href="/admin/magic-link">Lost your passkey?</a>
    </p>
  );
}

export function SignInInstead() {
  return (
    <p className="aside">
      <a href="/admin/login">Back to sign in</a>
    </p>
  );
}
