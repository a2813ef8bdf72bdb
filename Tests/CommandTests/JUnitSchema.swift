/// The XML schema of rigready's JUnit files.
///
/// Each rule is at least as narrow as that of Jenkins' xunit plugin (junit-10.xsd), so what is valid here is valid
/// there: the attributes that it requires, no unknown ones, times in Surefire's form, and at most one result per case.
/// GitLab drops a case with a repeated class and name; the key ensures that there is none.
enum JUnitSchema {
    static let text = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
          <xs:simpleType name="seconds">
            <xs:restriction base="xs:string"><xs:pattern value="[0-9]+\\.[0-9]{3}"/></xs:restriction>
          </xs:simpleType>
          <xs:simpleType name="zoneless">
            <xs:restriction base="xs:dateTime"><xs:pattern value="[^Z+.]*"/></xs:restriction>
          </xs:simpleType>
          <xs:simpleType name="filled">
            <xs:restriction base="xs:string"><xs:minLength value="1"/></xs:restriction>
          </xs:simpleType>
          <xs:attributeGroup name="counted">
            <xs:attribute name="name" type="filled" use="required"/>
            <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="time" type="seconds" use="required"/>
          </xs:attributeGroup>
          <xs:complexType name="trouble">
            <xs:simpleContent>
              <xs:extension base="filled">
                <xs:attribute name="type" type="filled" use="required"/>
                <xs:attribute name="message" type="filled" use="required"/>
              </xs:extension>
            </xs:simpleContent>
          </xs:complexType>
          <xs:complexType name="property">
            <xs:attribute name="name" type="filled" use="required"/>
            <xs:attribute name="value" type="xs:string" use="required"/>
          </xs:complexType>
          <xs:complexType name="case">
            <xs:choice minOccurs="0">
              <xs:element name="skipped">
                <xs:complexType><xs:attribute name="message" type="filled" use="required"/></xs:complexType>
              </xs:element>
              <xs:element name="error" type="trouble"/>
              <xs:element name="failure" type="trouble"/>
              <xs:element name="system-out" type="filled"/>
            </xs:choice>
            <xs:attribute name="name" type="filled" use="required"/>
            <xs:attribute name="classname" type="filled" use="required"/>
            <xs:attribute name="time" type="seconds"/>
          </xs:complexType>
          <xs:complexType name="suite">
            <xs:sequence>
              <xs:element name="properties">
                <xs:complexType>
                  <xs:sequence><xs:element name="property" type="property" maxOccurs="unbounded"/></xs:sequence>
                </xs:complexType>
              </xs:element>
              <xs:element name="testcase" type="case" maxOccurs="unbounded"/>
            </xs:sequence>
            <xs:attributeGroup ref="counted"/>
            <xs:attribute name="skipped" type="xs:nonNegativeInteger" use="required"/>
            <xs:attribute name="hostname" type="xs:string" use="required"/>
            <xs:attribute name="timestamp" type="zoneless"/>
          </xs:complexType>
          <xs:element name="testsuites">
            <xs:complexType>
              <xs:sequence><xs:element name="testsuite" type="suite"/></xs:sequence>
              <xs:attributeGroup ref="counted"/>
            </xs:complexType>
            <xs:unique name="once">
              <xs:selector xpath="testsuite/testcase"/><xs:field xpath="@classname"/><xs:field xpath="@name"/>
            </xs:unique>
          </xs:element>
        </xs:schema>
        """
}
