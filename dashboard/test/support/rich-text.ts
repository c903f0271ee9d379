/** What models write besides prose; none of it is to be lost, and none to be taken for what it is not. */
export const RICH_TEXT = String.raw`## A title

The roots are \(x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}\), and a seat costs $5 and $10.[^1] A class is [^abc].

\[
\begin{pmatrix} a & b \\ c & d \\ e & f \\ g & h \end{pmatrix}
- \sum_{i=1}^{n} a_i * b_i
\]

$$E = mc^2$$

And one that cannot be read: \(\frac{1\).

One that is too wide for a phone: \(\frac{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}{b}\).

~~~python
def area(radius):
    """Area of a circle."""
    return 3.14159 * radius ** 2  # a very long comment that makes this line much wider than any card on any of the screens
~~~

- [x] write it
- [ ] read it

| Left | Centre | Right | Internationalization | Characteristically | Incomprehensibilities |
|:-----|:------:|------:|---|---|---|
| a    | b      |  1.50 | one | two | three |
| aa   | bb     | 12.75 | one | two | three |

مرحبا بالعالم، هذا نص عربي.

- تفاحة
- Apple, an English item
- برتقال

> قال: «كل شيء على ما يرام».

| الاسم | العدد |
|---|---|
| تفاحة | 3 |

[^1]: Without tax, as *of today*.
`;
