/** An ID token as Firebase's SDK takes it towards its emulator: unsigned, and of `userId` in `project` unless `claims` say otherwise. */
export function unsignedToken(project: string, userId: string, claims: object = {}): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const body = {
    ...{ iss: `https://securetoken.google.com/${project}`, aud: project, sub: userId, user_id: userId },
    ...{ auth_time: nowSeconds - 120, iat: nowSeconds - 60, exp: nowSeconds + 3_000 },
    ...claims,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(body)}.`;
}
